/** A book's text. The server sanitized it with an allow list before storing it. */
export function Prose({ html, className }: { html: string; className?: string }) {
  return <div className={['prose', className].filter(Boolean).join(' ')} lang="en" dangerouslySetInnerHTML={{ __html: html }} />;
}
