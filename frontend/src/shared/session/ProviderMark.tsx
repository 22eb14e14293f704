import type { Provider } from '@/shared/session/signInProviders';

// Drawn in the style of the icon set: an initial each, an apple for Apple.
const DRAWN: Readonly<Record<Provider, string>> = {
  google: 'M18.4 7.2A8 8 0 1 0 20 12h-7.4',
  apple:
    'M12 8.4c-1.5-1.3-6.6-1.7-6.6 4 0 4 2.6 8.1 4.7 8.1.8 0 1.2-.5 1.9-.5s1.1.5 1.9.5c2.1 0 4.7-4.1 4.7-8.1 0-5.7-5.1-5.3-6.6-4ZM12 8.4c0-2.1.9-3.7 2.7-4.4',
  facebook: 'M16.4 4.5H15c-2 0-3.3 1.3-3.3 3.4v12.6M8.2 11.4h7.4',
  linkedin: 'M5.5 10.2v9.3M5.5 5.8h.01M10.5 19.5v-9.3M10.5 14.2c0-2.5 1.6-4.2 4-4.2s4 1.7 4 4.5v5',
};

/** The icon before a provider's name; hidden from screen readers. */
export function ProviderMark({ provider }: { provider: Provider }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      <path d={DRAWN[provider]} />
    </svg>
  );
}
