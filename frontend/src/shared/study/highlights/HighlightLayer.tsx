import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { nextMoment } from '@/shared/positions/places';
import { copyText } from '@/shared/referral/copyText';
import { charsOf } from '@/shared/study/chars';
import type { HighlightColor } from '@/shared/study/colors';
import { drawHighlights, drawPopular, highlightsAt, marksOf } from '@/shared/study/highlights/drawHighlights';
import type { DrawnHighlight, Passage } from '@/shared/study/highlights/drawHighlights';
import { extentOf } from '@/shared/study/highlights/extent';
import { textIn } from '@/shared/study/highlights/highlightedText';
import { HighlightSheet } from '@/shared/study/highlights/HighlightSheet';
import type { HighlightsProps } from '@/shared/study/highlights/Highlights';
import { makeHighlight } from '@/shared/study/highlights/makeHighlight';
import { MarginNotes } from '@/shared/study/highlights/MarginNotes';
import { joined } from '@/shared/study/highlights/selection';
import { scrollToMark } from '@/shared/study/highlights/scrollToMark';
import { SelectionBar } from '@/shared/study/highlights/SelectionBar';
import { hasKeys, isTextKey } from '@/shared/study/highlights/textKeys';
import { useTextHighlights } from '@/shared/study/highlights/useTextHighlights';
import type { PlacedHighlight } from '@/shared/study/highlights/useTextHighlights';
import { useTextSync } from '@/shared/study/highlights/useTextSync';
import { usePopularPassages } from '@/shared/study/highlights/usePopularPassages';
import { selectedIn, useSelectedPassage } from '@/shared/study/highlights/useSelectedPassage';
import { useSentenceCursor } from '@/shared/study/highlights/useSentenceCursor';
import { idOfHighlight } from '@/shared/study/ids';
import { isCardShown, joinedNotes, restored, tagsOf } from '@/shared/study/records';
import type { Highlight } from '@/shared/study/records';
import { saveHighlights } from '@/shared/study/saveHighlights';
import { studySettingsQuery } from '@/shared/study/settings';
import { areHighlightsOff, lastColor, rememberColor } from '@/shared/study/studyFlags';
import { studyStore } from '@/shared/study/studyStore';
import { dropToast, toast } from '@/ui/toast';
import '@/shared/study/highlights/highlights.css';

type Props = HighlightsProps & {
  /** Called once the layer has its own listeners; returns whether `h` was pressed before, which is done now. */
  onLoad: () => boolean;
};

/** A member's highlights, unless they have switched them off, here or on another device (study.study-switches). */
export default function HighlightLayer(props: Props) {
  const { data } = useQuery(studySettingsQuery());
  const isOn = data ? data.hasHighlights : !areHighlightsOff();
  return isOn ? <Layer {...props} /> : null;
}

/** Draws a member's highlights of a text in the reader, and adds, changes and deletes them. */
function Layer({ root, text, index, extent, member, shown, onShown, onTurn, onReach, onLoad }: Props) {
  const { texts, placed } = useTextHighlights(text, member);
  const sectionText = texts[index] ?? '';
  const { start: from, end: to, paragraphAt } = extentOf(text, extent);
  const popular = usePopularPassages(text);
  const wanted = JSON.stringify(drawnIn(placed, index));
  // The same highlights are not drawn again: that would end a selection.
  const drawn = useMemo(() => JSON.parse(wanted) as DrawnHighlight[], [wanted]);
  const noted = useMemo(
    () => placed.flatMap(({ record: { state }, place }) => (place?.section === index && state.note.value !== '' ? [state] : [])),
    [placed, index],
  );
  const [selected, clear] = useSelectedPassage(root);
  const [open, setOpen] = useState<{ id: number; isNoting: boolean } | null>(null);
  const fresh = useRef<number | null>(null);
  const toastId = useRef<number | null>(null);

  useTextSync(text, member);

  useLayoutEffect(() => {
    const shownText = textIn(root.current);
    return shownText
      ? whileNothingIsSelected(shownText, () => {
          drawHighlights(
            shownText,
            drawn.map((one) => ({ ...movedBy(one, -from), isNew: one.id === fresh.current })),
          );
          fresh.current = null;
        })
      : undefined;
  }, [root, drawn, index, from, to]);

  useLayoutEffect(() => {
    const shownText = textIn(root.current);
    const here = popular.filter(({ section }) => section === index);
    return shownText ? whileNothingIsSelected(shownText, () => drawPopular(shownText, here)) : undefined;
  }, [root, popular, index]);

  // Once they are switched off, the text is as it was.
  useLayoutEffect(() => {
    const reader = root.current;
    return () => {
      const shownText = textIn(reader);
      if (!shownText) return;
      drawHighlights(shownText, []);
      drawPopular(shownText, []);
    };
  }, [root]);

  // After the layout effects: a dialog that has the text is open then.
  useEffect(() => {
    const place = placed.find(({ record }) => record.id === shown)?.place;
    const shownText = textIn(root.current);
    if (shown === null || !place || !shownText) return;
    if (place.section !== index) {
      onTurn(place.section);
      return;
    }
    if (place.start < from || place.start >= to) {
      onReach?.(paragraphAt(place.start));
      return;
    }
    const marks = marksOf(shownText, shown);
    const [first] = marks;
    if (!first) return;
    first.tabIndex = -1;
    first.focus({ preventScroll: true });
    scrollToMark(first);
    for (const mark of marks) mark.classList.add('highlight--shown');
    onShown();
    // `drawn`: it is in the page once it has been drawn. The functions are new in each render.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [root, shown, placed, drawn, index, from, to]);

  const show = useEffectEvent((event: Event) => {
    if (window.getSelection()?.isCollapsed === false || !(event.target instanceof Element)) return;
    const [id] = highlightsAt(event.target);
    if (id === undefined || event.target.closest('a')) return;
    event.preventDefault();
    // The reader's own press on the text hides its bar, and a recording would go on from here.
    event.stopPropagation();
    setOpen({ id, isNoting: false });
  });
  useEffect(() => {
    const reader = root.current;
    const click = (event: MouseEvent) => show(event);
    const press = (event: KeyboardEvent) => {
      if (isTextKey(reader, event, 'enter')) show(event);
    };
    reader?.addEventListener('click', click, true);
    reader?.addEventListener('keydown', press, true);
    return () => {
      reader?.removeEventListener('click', click, true);
      reader?.removeEventListener('keydown', press, true);
    };
  }, [root]);

  const add = (passage: Passage, color: HighlightColor): number | null => {
    rememberColor(color);
    clear();
    const notes = new Map(placed.map(({ record }) => [record.id, record.state.note.value]));
    const own = drawn.map((one) => ({ ...one, note: notes.get(one.id) ?? '', isJoinable: !isInReview(one.id) }));
    const found = joined(passage, color, own);
    if (found.existing !== null) return found.existing;
    const replaced = placed.map(({ record }) => record.state).filter(({ id }) => found.replaced.includes(id));
    const made = makeHighlight({ text, texts, section: index, passage: found.passage, color, at: nextMoment() });
    if (!made) return null;
    const highlight = withPartsOf(made, replaced);
    fresh.current = highlight.id;
    void saveHighlights([highlight], replaced);
    // Several highlights in a row have one message.
    if (toastId.current !== null) dropToast(toastId.current);
    toastId.current = toast('Highlighted.', { label: 'Undo', run: () => void saveHighlights(replaced.map(renewed), [highlight]) });
    return highlight.id;
  };
  const addAndNote = (passage: Passage, color: HighlightColor, isNoting: boolean) => {
    const id = add(passage, color);
    if (isNoting && id !== null) setOpen({ id, isNoting: true });
  };

  const remove = (state: Highlight) => {
    // At once: nothing below an open sheet can take the focus.
    flushSync(() => setOpen(null));
    void saveHighlights([], [state]);
    toast('Highlight deleted.', { label: 'Undo', run: () => void saveHighlights([renewed(state)], []) });
    // What had the focus may be gone.
    root.current?.querySelector<HTMLElement>('.reader__title, .source-text__place')?.focus({ preventScroll: true });
  };

  const copy = (passage: Passage) => {
    void copyText(charsOf(sectionText, passage.start, passage.end), 'Copied.');
    clear();
  };

  const [words, beginPicking] = useSentenceCursor({
    reader: root,
    index,
    text: charsOf(sectionText, from, to),
    onPick: (passage, color, isNoting) => addAndNote(movedBy(passage, from), color ?? lastColor(), isNoting),
  });
  const highlight = useEffectEvent(() => {
    const passage = selectedIn(root.current, false)?.passage;
    if (passage) add(movedBy(passage, from), lastColor());
    else beginPicking();
  });
  useEffect(() => {
    if (onLoad() && hasKeys(root.current)) highlight();
    const press = (event: KeyboardEvent) => {
      if (!isTextKey(root.current, event, 'h')) return;
      event.preventDefault();
      highlight();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
    // Once, when it has been loaded.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, []);

  const inSection = selected && movedBy(selected.passage, from);
  const record = open ? placed.find(({ record: { id } }) => id === open.id)?.record : undefined;
  return (
    <>
      <p className="visually-hidden" role="status">
        {words ?? (selected ? 'Selected. 1 to 4 highlight, N adds a note.' : '')}
      </p>
      {noted.length > 0 && 'book' in text ? <MarginNotes reader={root} noted={noted} onOpen={(id) => setOpen({ id, isNoting: true })} /> : null}
      {selected && inSection && !record ? (
        <SelectionBar
          reader={root}
          selected={selected}
          onColor={(color) => add(inSection, color)}
          onNote={() => addAndNote(inSection, lastColor(), true)}
          onCopy={() => copy(inSection)}
          onClose={clear}
        />
      ) : null}
      {open && record ? (
        <HighlightSheet
          key={open.id}
          record={record}
          isChanged={drawn.some(({ id, isChanged }) => id === open.id && isChanged)}
          isNoting={open.isNoting}
          onClose={() => setOpen(null)}
          onDelete={() => remove(record.state)}
        />
      ) : null}
    </>
  );
}

/** Draws at once, or when no text is selected any more: drawing would end a selection. Returns what takes it back. */
function whileNothingIsSelected(text: Element, draw: () => void): (() => void) | undefined {
  const isSelected = () => {
    const selection = window.getSelection();
    return selection?.isCollapsed === false && selection.getRangeAt(0).intersectsNode(text);
  };
  if (!isSelected()) {
    draw();
    return undefined;
  }
  const listen = () => {
    if (isSelected()) return;
    document.removeEventListener('selectionchange', listen);
    draw();
  };
  document.addEventListener('selectionchange', listen);
  return () => document.removeEventListener('selectionchange', listen);
}

/** A passage at other positions: those of the page begin with the part of the section that is on it. */
const movedBy = <P extends Passage>(passage: P, by: number): P => ({ ...passage, start: passage.start + by, end: passage.end + by });

/** Whether a highlight has a review card. */
function isInReview(id: number): boolean {
  const card = studyStore.snapshot().cards.get(idOfHighlight(id))?.state;
  return card !== undefined && isCardShown(card);
}

/** A deleted highlight as it is brought back. */
const renewed = (highlight: Highlight): Highlight => restored(highlight, nextMoment());

/** A highlight with the notes and tags of those that it takes the place of. */
function withPartsOf(highlight: Highlight, replaced: readonly Highlight[]): Highlight {
  const note = joinedNotes(replaced.map((one) => one.note.value));
  const tags = new Map(replaced.flatMap(tagsOf).map((tag) => [tag.toLowerCase(), { tag, on: true, at: highlight.createdAt }]));
  return {
    ...highlight,
    ...(note !== '' && { note: { value: note, at: highlight.createdAt } }),
    tags: [...tags.values()],
  };
}

/** The highlights that are drawn in a section, those whose color was chosen last on top. */
function drawnIn(placed: readonly PlacedHighlight[], index: number): DrawnHighlight[] {
  return placed
    .flatMap(({ record: { state }, place }) => (place?.section === index ? [{ state, place }] : []))
    .sort((one, other) => one.state.color.at - other.state.color.at)
    .map(({ state, place: { start, end, isChanged } }) => ({
      id: state.id,
      color: state.color.value,
      start,
      end,
      isChanged,
      hasNote: state.note.value !== '',
      isNew: false,
    }));
}
