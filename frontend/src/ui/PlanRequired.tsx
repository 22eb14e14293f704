import { Icon } from '@/ui/Icon';

/** In a book's metadata: it requires a plan that the viewer does not have. */
export function PlanRequired() {
  return (
    <span className="book-card__meta-item">
      <Icon name="lock" />
      With a plan
    </span>
  );
}
