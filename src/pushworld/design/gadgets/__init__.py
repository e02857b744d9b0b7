"""Puzzles from the solution: gadgets, each with a proved claim, composed backwards from the goal."""
