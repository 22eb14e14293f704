DROP TABLE idea_links;
