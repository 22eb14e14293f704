DROP TABLE team_list_agreements;
DROP TABLE team_lists;
DROP TABLE list_followers;
DROP TABLE list_books;
DROP TABLE lists;
