"""General words for what a text says: a month for a day, a country for a city, a range for a number."""
