"""The attack: attackers, the engine that runs them against texts, and the adversary who combines them."""
