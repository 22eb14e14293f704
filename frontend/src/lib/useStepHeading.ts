import { useEffect, useRef } from 'react';

/** For the heading of a step that replaces another on the same page: focuses it and scrolls to the top of the page. */
export function useStepHeading() {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    window.scrollTo({ top: 0 });
    heading.current?.focus({ preventScroll: true });
  }, []);
  return heading;
}
