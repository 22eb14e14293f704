/** What has a text of its own: a dialog, and a column beside the page's text. */
export const OWN_TEXT = 'dialog, [data-own-text]';

/** How far from the top a mark stands in it, as a part of its height. */
const UPPER_PART = 0.3;

/** Scrolls to a mark: in the column or the dialog that has its text, otherwise in the page. */
export function scrollToMark(mark: Element, behavior: ScrollBehavior = 'auto'): void {
  const scroller = mark.closest(OWN_TEXT);
  if (!scroller) {
    mark.scrollIntoView({ block: 'center', behavior });
    return;
  }
  const down = mark.getBoundingClientRect().top - scroller.getBoundingClientRect().top - scroller.clientHeight * UPPER_PART;
  scroller.scrollTo({ top: scroller.scrollTop + down, behavior });
}
