"""Languages of paragraphs are told rightly; what is too short or no text has none."""

import pytest

from mtr.corpus.demo import demo_documents
from mtr.corpus.languages import detect_language

TEXTS = {
    "en": "The board decided yesterday not to raise the fees for the coming year, because the costs are falling.",
    "de": "Der Vorstand hat gestern beschlossen, die Gebühren für das kommende Jahr nicht zu erhöhen.",
    "fr": "Le conseil a décidé hier de ne pas augmenter les frais pour l'année prochaine, car les coûts baissent.",
    "es": "El consejo decidió ayer no aumentar las tarifas para el próximo año porque los costos están bajando.",
    "ru": "Вчера совет решил не повышать плату на следующий год, потому что расходы снижаются.",
    "uk": "Учора рада вирішила не підвищувати плату наступного року, тому що витрати зменшуються.",
    "ar": "قرر المجلس أمس عدم زيادة الرسوم للعام المقبل بسبب انخفاض التكاليف في جميع الأقسام.",
    "hi": "परिषद ने कल अगले वर्ष के लिए शुल्क नहीं बढ़ाने का निर्णय लिया क्योंकि लागत कम हो रही है।",
    "th": "คณะกรรมการตัดสินใจเมื่อวานนี้ว่าจะไม่เพิ่มค่าธรรมเนียมสำหรับปีหน้า เพราะต้นทุนลดลง",
    "zh": "董事会昨天决定明年不提高费用，因为成本正在下降。请使用 Python 3.11 运行程序。",
    "ja": "取締役会は昨日、コストが下がっているため来年の料金を引き上げないことを決定した。",
    "ko": "이사회는 어제 비용이 감소하고 있기 때문에 내년 수수료를 인상하지 않기로 결정했다.",
}

CODE = """\
# Usage

Call the function with two arguments.

```python
def obtener(indice, valor):
    for clave in indice:
        imprimir(clave, valor)
    devolver = lambda clave: clave
```

    from flask import request, redirect
    print(request.args.get("nombre"))

See https://example.org/une/page/en/francais/pour/tout/le/monde for more.
"""


@pytest.mark.parametrize("language", TEXTS)
def test_paragraphs(language: str) -> None:
    assert detect_language(TEXTS[language]) == language


def test_addresses_and_markup_in_text_without_spaces() -> None:
    assert detect_language("高中（Municipal_High/School）位于桃园市大溪区，由桃园县立国民中学改制。") == "zh"


def test_english_with_much_code_or_quotations_is_english() -> None:
    assert detect_language(CODE) == "en"
    assert detect_language(TEXTS["en"] * 3 + "\n\n“董事会昨天决定明年不提高费用。”") == "en"
    assert {detect_language(document.text) for document in demo_documents()} == {"en"}


@pytest.mark.parametrize(
    "text", ["", " \n", "abc", "中文", "12 345 678 901 --- *** 2024-01-01 12:30:00 99.9 %", "x = 1"]
)
def test_too_little_to_tell(text: str) -> None:
    assert detect_language(text) is None


def test_the_same_answer_again_and_on_a_long_text() -> None:
    assert {detect_language(TEXTS["de"] * 2000) for _ in range(3)} == {"de"}
