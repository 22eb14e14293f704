/** A book's text. The server sanitised it by an allow list before it was stored. */
export function Prose({ html, className }: { html: string; className?: string }) {
  return <div className={['prose', className].filter(Boolean).join(' ')} lang="en" dangerouslySetInnerHTML={{ __html: html }} />;
}
