"""Evaluations of models: ask for programs as in published evaluations, and grade the answers."""
