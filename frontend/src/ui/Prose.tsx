/** A book's text. The server has cleaned it against an allow list before it was ever stored. */
export function Prose({ html, className }: { html: string; className?: string }) {
  return <div className={['prose', className].filter(Boolean).join(' ')} lang="en" dangerouslySetInnerHTML={{ __html: html }} />;
}
