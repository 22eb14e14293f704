DROP FUNCTION tidy_catalogue();
