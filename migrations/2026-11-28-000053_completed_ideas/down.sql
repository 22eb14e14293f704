DROP TABLE completed_ideas;
