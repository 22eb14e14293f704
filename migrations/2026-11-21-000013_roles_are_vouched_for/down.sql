-- That an address was vouched for is not taken back: nobody knows any more which ones were.
SELECT 1;
