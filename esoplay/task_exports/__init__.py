"""Exports of tasks for other evaluation frameworks, graded by esoplay's hidden tests."""
