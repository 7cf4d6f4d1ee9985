"""The tagger that ships: names of people, places, organisations and facts about people, in running text."""
