import { NavLink } from 'react-router';
import { paths } from '@/paths';
import { Icon } from '@/ui/Icon';
import type { IconName } from '@/ui/Icon';

const LINKS: readonly { to: string; label: string; icon: IconName }[] = [
  { to: paths.home, label: 'Home', icon: 'home' },
  { to: paths.books, label: 'Explore', icon: 'search' },
  { to: paths.library, label: 'Library', icon: 'bookmark' },
  { to: paths.myProgress, label: 'Progress', icon: 'award' },
];

/** A member's four main links, at the bottom of a phone's screen. The reader has its own bar there instead. */
export function BottomNav() {
  return (
    <nav className="tabs" aria-label="My pages">
      <ul className="tabs__list">
        {LINKS.map(({ to, label, icon }) => (
          <li key={to} className="tabs__item">
            <NavLink className="tabs__link" to={to}>
              <Icon name={icon} />
              <span className="tabs__label">{label}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
