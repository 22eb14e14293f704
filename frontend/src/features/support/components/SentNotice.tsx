import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { Icon } from '@/ui/Icon';

/** Replaces a sent form, and takes the focus, which would be lost with the form. */
export function SentNotice({ title, children }: { title: string; children?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <div className="support__sent">
      <span className="done-mark" aria-hidden="true">
        <Icon name="check" />
      </span>
      <h2 className="support__sent-title" ref={heading} tabIndex={-1}>
        {title}
      </h2>
      {children}
    </div>
  );
}
