import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ContentsPanel } from '@/shared/reader/ContentsPanel';
import { ReaderBar } from '@/shared/reader/ReaderBar';
import { SectionLinks } from '@/shared/reader/SectionLinks';
import { SectionView } from '@/shared/reader/SectionView';
import { Highlights, HighlightsInContents, highlightInAddress } from '@/shared/study/highlights/Highlights';
import { bounded, placeInAddress } from '@/shared/reader/position';
import { useArrowKeys } from '@/shared/reader/useArrowKeys';
import { useAutoHideBar } from '@/shared/reader/useAutoHideBar';
import { useSections } from '@/shared/reader/useSections';
import { useTouch } from '@/shared/reader/useTouch';
import { IdeaText } from '@/features/summaries/components/IdeaText';
import { RenameDialog } from '@/features/summaries/components/RenameDialog';
import { SourceLine } from '@/features/summaries/components/SourceLine';
import { SourceText } from '@/features/summaries/components/SourceText';
import { SummaryOptions } from '@/features/summaries/components/SummaryOptions';
import { deleteSummary } from '@/features/summaries/deletions';
import { languageTag } from '@/features/summaries/passages';
import type { Idea, Paragraph, Summary } from '@/features/summaries/queries';
import { ideaOf, plural } from '@/lib/format';
import { hueClass } from '@/lib/hue';
import { currentMember } from '@/shared/session/account';
import { useMediaQuery } from '@/lib/useMediaQuery';
import { paths } from '@/paths';
import { LinkButton } from '@/ui/Button';
import { Dialog } from '@/ui/Dialog';
import { Icon } from '@/ui/Icon';
import { IconButton } from '@/ui/IconButton';
import { ProgressBar } from '@/ui/ProgressBar';
import { Toaster } from '@/ui/toast';

interface Props {
  summary: Summary;
  ideas: readonly Idea[];
  paragraphs: readonly Paragraph[];
  /** The member has watched its progress: the title takes the focus. */
  watched: boolean;
}

/** From this width on the source is beside the text. */
const WIDE = '(min-width: 72rem)';
/** The hue in degrees: members' summaries have no category. */
const HUE = 60;

/** A member's summary in the reader for books: one key idea at a time, and the source with its passages. */
export function SummaryReader({ summary, ideas, paragraphs, watched }: Props) {
  const navigate = useNavigate();
  const total = ideas.length;
  const [start] = useState(() => placeInAddress(window.location.search, total) ?? 0);
  const { index, turn, turnTo } = useSections(start);
  const [sourceHighlight, setSourceHighlight] = useState(() => highlightInAddress(true));
  const [panel, setPanel] = useState<'contents' | 'options' | 'source' | 'rename' | null>(sourceHighlight === null ? null : 'source');
  /** The index of the passage of the current idea that is lit in the source. */
  const [shown, setShown] = useState<number | null>(null);
  const [highlight, setHighlight] = useState(() => highlightInAddress());
  const member = currentMember();
  const text = { summary, ideas };
  const wide = useMediaQuery(WIDE);
  const bar = useRef<HTMLDivElement>(null);
  const root = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useAutoHideBar(bar);
  useEffect(() => {
    if (!watched) return;
    title.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, [watched]);

  const goTo = (wanted: number) => {
    const next = bounded(wanted, total);
    setPanel(null);
    if (next === index) return;
    setShown(null);
    turnTo(next, false);
  };
  useArrowKeys((step) => goTo(index + step));
  useTouch(root, bar, (step) => goTo(index + step));
  const show = (passage: number) => {
    setShown(passage);
    if (!wide) setPanel('source');
  };

  const idea = ideas[index];
  const lang = languageTag(summary.language?.code);
  const source = idea ? (
    <SourceText
      {...{ summary, paragraphs, idea, lang, shown, member }}
      onShow={setShown}
      highlight={sourceHighlight}
      onHighlightShown={() => setSourceHighlight(null)}
    />
  ) : null;
  return (
    <article className={`book summary ${hueClass(HUE)}`}>
      <div className="summary__text">
        {index === 0 ? (
          <header className="summary__intro">
            <h1 className="summary__title" ref={title} tabIndex={-1} lang={lang}>
              {summary.title}
            </h1>
            <SourceLine source={summary.source} title={summary.title} />
            <p className="book-intro__meta">
              {summary.minutes === null ? null : (
                <span className="book-card__meta-item">
                  <Icon name="clock" />
                  {`${summary.minutes} min`}
                </span>
              )}
              <span className="book-card__meta-item">{plural(total, 'key idea')}</span>
              {summary.language ? <span className="book-card__meta-item">{summary.language.name}</span> : null}
            </p>
            <p className="summary__engine">{engineNote(summary)}</p>
          </header>
        ) : null}
        <div className="reader" ref={root}>
          <div className="reader__progress">
            <ProgressBar label="Reading progress" value={index + 1} max={total} text={ideaOf(index + 1, total)} />
          </div>
          <ReaderBar {...{ bar, index, total }} title={summary.title} onTurn={goTo} onPanel={setPanel}>
            {wide ? null : <IconButton icon="lines" label="Source" aria-haspopup="dialog" onClick={() => setPanel('source')} />}
          </ReaderBar>
          <SectionView key={index} turn={turn} title={idea?.title ?? ''} place={`${index + 1}/${total}`} bookTitle={summary.title} first={index === 0}>
            {idea ? <IdeaText idea={idea} paragraphs={paragraphs} lang={lang} shown={shown} opensDialog={!wide} onShow={show} /> : null}
            <SectionLinks
              {...{ index, total }}
              titleOf={(i) => ideas[i]?.title ?? ''}
              onTurn={goTo}
              onFinish={null}
              end={
                <LinkButton className="reader__more" large to={paths.ai}>
                  Your summaries
                </LinkButton>
              }
            />
          </SectionView>
        </div>
      </div>
      {wide ? (
        // Focusable, so that the keyboard can scroll it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <aside className="summary-source" aria-label="Source" tabIndex={0} data-own-text>
          {source}
        </aside>
      ) : (
        <Dialog open={panel === 'source'} onClose={() => setPanel(null)} title="From the source" side="right" className="source-panel">
          {source}
          <Toaster />
        </Dialog>
      )}
      <ContentsPanel
        open={panel === 'contents'}
        onClose={() => setPanel(null)}
        titles={ideas.map((one) => one.title)}
        ideas={total}
        index={index}
        onPick={goTo}
      >
        {member === null ? null : (
          <>
            <HighlightsInContents
              {...{ text, member }}
              onShow={(id) => {
                setPanel(null);
                setHighlight(id);
              }}
              onTurn={goTo}
            />
            <HighlightsInContents
              text={{ summary, source: paragraphs }}
              member={member}
              onShow={(id) => {
                setPanel(wide ? null : 'source');
                setSourceHighlight(id);
              }}
              onTurn={goTo}
            />
          </>
        )}
      </ContentsPanel>
      {member === null ? null : <Highlights {...{ root, text, index, member }} shown={highlight} onShown={() => setHighlight(null)} onTurn={goTo} />}
      <SummaryOptions
        open={panel === 'options'}
        onClose={() => setPanel(null)}
        summary={summary}
        onRename={() => setPanel('rename')}
        onDelete={() => {
          deleteSummary(summary);
          void navigate(paths.ai);
        }}
      />
      {panel === 'rename' ? <RenameDialog summary={summary} onClose={() => setPanel(null)} /> : null}
    </article>
  );
}

/** A sentence about the engine that wrote the summary. */
function engineNote({ engine, fellBack }: Summary): string {
  if (engine === 'model') return 'Written by a language model. Each idea shows the passages it rests on.';
  const chosen = 'In the words of the source: its most telling sentences, in their original order.';
  return fellBack ? `${chosen} The language model could not be reached, so nothing was rewritten.` : chosen;
}
