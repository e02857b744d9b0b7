"""Studies with people: the study file, the participants' orders, their rules, and the server's API."""
