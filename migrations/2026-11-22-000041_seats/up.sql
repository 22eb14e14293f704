-- To whom the buyer of a seat has sent its code.
ALTER TABLE codes ADD COLUMN sent_to text;
