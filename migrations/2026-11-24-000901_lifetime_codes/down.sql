-- The months are not put back: they were a mistake.
SELECT 1;
