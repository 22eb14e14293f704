import { Icon } from '@/ui/Icon';

/** Among what is said of a book: it opens with a plan, which the viewer has not. */
export function WithAPlan() {
  return (
    <span className="book-card__meta-item">
      <Icon name="lock" />
      With a plan
    </span>
  );
}
