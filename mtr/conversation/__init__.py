"""What a conversation is made of, without a model: its plan, its facts, and the code checks of each draft."""
