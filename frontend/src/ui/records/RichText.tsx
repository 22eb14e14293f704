import { EditorContent, Mark, Node, useEditor, useEditorState } from '@tiptap/react';
import type { Editor } from '@tiptap/react';
import { DOMParser as ContentParser } from '@tiptap/pm/model';
import type { ResolvedPos, Slice } from '@tiptap/pm/model';
import { Selection } from '@tiptap/pm/state';
import StarterKit from '@tiptap/starter-kit';
import { useEffect, useId, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Button } from '@/ui/Button';
import { PictureDialog } from '@/ui/records/PictureDialog';
import type { PictureUpload, TextPicture } from '@/ui/records/PictureDialog';
import { plainTextHtml } from '@/ui/records/paste/characters';
import { PICTURES, cleanPastedHtml } from '@/ui/records/paste/paste';

export interface RichTextProps {
  label: string;
  /** The field's name, used to focus the first failing field. */
  name: string;
  value: string;
  onChange: (html: string) => void;
  error?: string | null;
  hint?: string;
  /** For short site texts instead of a book's body: headings begin at level 2, and the editor is lower. */
  short?: boolean;
  /** Stores pictures; without it the text has none. */
  pictures?: PictureUpload;
}

/** The source of a quotation (`<cite>`), which the server's sanitizer keeps. */
const Cite = Mark.create({ name: 'cite', parseHTML: () => [{ tag: 'cite' }], renderHTML: () => ['cite', 0] });

const number = (text: string | null) => (text === null ? null : Number(text) || null);

/** A picture (`<img>`) as a block of its own (catalogue.text-pictures). The attributes and their order are the server's. */
const Picture = Node.create({
  name: 'picture',
  group: 'block',
  atom: true,
  draggable: true,
  addAttributes: () => ({
    src: { default: '' },
    alt: { default: '' },
    width: { default: null, parseHTML: (element) => number(element.getAttribute('width')) },
    height: { default: null, parseHTML: (element) => number(element.getAttribute('height')) },
  }),
  parseHTML: () => [{ tag: `img[src^="${PICTURES}"]` }],
  renderHTML: ({ HTMLAttributes }) => ['img', { ...HTMLAttributes, loading: 'lazy' }],
});

/** A picture that is copied as such: the clipboard of a text processor has its text as a picture too. */
function pictureFile(data: DataTransfer | null): File | null {
  const [file] = [...(data?.files ?? [])].filter(({ type }) => type.startsWith('image/'));
  return file && data?.getData('text/plain').trim() === '' ? file : null;
}

/** The picture that is selected in the editor, and null when none is. */
const selectedPicture = (editor: Editor): TextPicture | null => (editor.isActive('picture') ? (editor.getAttributes('picture') as TextPicture) : null);

/** The levels of headings that are allowed at a place: within lists and quotations the server keeps only the lowest. */
function headingLevels(place: ResolvedPos, short: boolean): readonly number[] {
  if (place.depth > 1) return [4];
  return short ? [2, 3, 4] : [3, 4];
}

/** What is open in the dialog of pictures: the one that is changed, or the file that was pasted or dropped. */
interface OpenPicture {
  picture: TextPicture | null;
  dropped: File | null;
}

/** An editor for the HTML that the server's sanitizer keeps: headings, emphasis, quotes, lists, links and pictures. */
export default function RichText({ label, name, value, onChange, error, hint, short = false, pictures }: RichTextProps) {
  const id = useId();
  const emitted = useRef(value);
  const [picture, setPicture] = useState<OpenPicture | null>(null);
  const openFile = (file: File | null): boolean => {
    if (!pictures || !file) return false;
    setPicture({ picture: null, dropped: file });
    return true;
  };
  const editor = useEditor({
    extensions: [
      Cite,
      ...(pictures ? [Picture] : []),
      StarterKit.configure({
        heading: { levels: short ? [2, 3, 4] : [3, 4] },
        code: false,
        codeBlock: false,
        strike: false,
        underline: false,
        link: { openOnClick: false, autolink: false, protocols: ['mailto'], HTMLAttributes: { rel: null, target: null } },
      }),
    ],
    content: value,
    // The content security policy allows no inline styles; the editor's styles are in records.css.
    injectCSS: false,
    immediatelyRender: true,
    editorProps: {
      attributes: {
        class: 'prose',
        role: 'textbox',
        'aria-multiline': 'true',
        'aria-labelledby': `${id}-label`,
        lang: 'en',
        // By this name a form finds its first failing field.
        name,
        ...(error && { 'aria-invalid': 'true' }),
      },
      transformPastedHTML: (html, view) => cleanPastedHtml(html, headingLevels(view.state.selection.$from, short)),
      clipboardTextParser: (text, place, isPlain, view) => {
        const html = isPlain ? null : plainTextHtml(text);
        // Without a slice the editor parses the text by itself, which the type does not say.
        if (html === null) return undefined as unknown as Slice;
        const { body } = new DOMParser().parseFromString(cleanPastedHtml(html, []), 'text/html');
        return ContentParser.fromSchema(view.state.schema).parseSlice(body, { context: place });
      },
      handlePaste: (_, { clipboardData }) => openFile(pictureFile(clipboardData)),
      handleDrop: (view, event, _, isMoved) => {
        const file = isMoved ? null : pictureFile(event.dataTransfer);
        const place = file && view.posAtCoords({ left: event.clientX, top: event.clientY });
        if (place) view.dispatch(view.state.tr.setSelection(Selection.near(view.state.doc.resolve(place.pos))));
        return openFile(file);
      },
      handleDoubleClickOn: (_, __, node) => {
        if (node.type.name !== 'picture') return false;
        // The first of the two clicks has selected it.
        setPicture({ picture: node.attrs as TextPicture, dropped: null });
        return true;
      },
    },
    onUpdate: ({ editor: now }) => {
      // A text that ends with a picture or a list has an empty paragraph after it, to type there.
      emitted.current = now.getHTML().replace(/(?:<p><\/p>)+$/, '');
      onChange(emitted.current);
    },
  });
  const closePicture = () => {
    setPicture(null);
    editor.commands.focus();
  };
  // The value changed outside the editor: the server's sanitized version, or a restored draft.
  useEffect(() => {
    if (value === emitted.current) return;
    emitted.current = value;
    editor.commands.setContent(value, { emitUpdate: false });
  }, [editor, value]);

  return (
    <div className="field">
      <span className="field__label" id={`${id}-label`}>
        {label}
      </span>
      <div className={['rich-text', error && 'rich-text--wrong', short && 'rich-text--short'].filter(Boolean).join(' ')}>
        <Toolbar
          editor={editor}
          label={label}
          levels={short ? [2, 3] : [3, 4]}
          {...(pictures && { onPicture: () => setPicture({ picture: selectedPicture(editor), dropped: null }) })}
        />
        <EditorContent editor={editor} />
      </div>
      {pictures && picture
        ? createPortal(
            <PictureDialog
              {...picture}
              pictures={pictures}
              onClose={closePicture}
              onDone={(attributes) => {
                closePicture();
                if (picture.picture) editor.chain().updateAttributes('picture', attributes).run();
                else {
                  editor.commands.insertContent({ type: 'picture', attrs: attributes });
                  // What is typed next stands below the picture instead of in its place.
                  editor.commands.setTextSelection(editor.state.selection.to + 1);
                }
              }}
            />,
            document.body,
          )
        : null}
      {hint ? <p className="field__hint">{hint}</p> : null}
      {error ? <p className="field__error">{error}</p> : null}
    </div>
  );
}

interface ToolbarProps {
  editor: Editor;
  label: string;
  levels: [2, 3] | [3, 4];
  /** Adds a picture, or changes the selected one. */
  onPicture?: () => void;
}

function Toolbar({ editor, label, levels: [section, heading], onPicture }: ToolbarProps) {
  const [linking, setLinking] = useState(false);
  const on = useEditorState({
    editor,
    selector: ({ editor: now }) => ({
      section: now.isActive('heading', { level: section }),
      heading: now.isActive('heading', { level: heading }),
      bold: now.isActive('bold'),
      italic: now.isActive('italic'),
      quote: now.isActive('blockquote'),
      bullets: now.isActive('bulletList'),
      numbers: now.isActive('orderedList'),
      link: now.isActive('link'),
      picture: now.isActive('picture'),
      undo: now.can().undo(),
      redo: now.can().redo(),
    }),
  });
  const chain = () => editor.chain().focus();
  const tools: readonly { name: string; text: string; pressed?: boolean; off?: boolean; run: () => void }[] = [
    { name: 'Section', text: 'Section', pressed: on.section, run: () => chain().toggleHeading({ level: section }).run() },
    { name: 'Heading', text: 'Heading', pressed: on.heading, run: () => chain().toggleHeading({ level: heading }).run() },
    { name: 'Bold', text: 'B', pressed: on.bold, run: () => chain().toggleBold().run() },
    { name: 'Italic', text: 'I', pressed: on.italic, run: () => chain().toggleItalic().run() },
    { name: 'Quote', text: '“”', pressed: on.quote, run: () => chain().toggleBlockquote().run() },
    { name: 'Bulleted list', text: '•', pressed: on.bullets, run: () => chain().toggleBulletList().run() },
    { name: 'Numbered list', text: '1.', pressed: on.numbers, run: () => chain().toggleOrderedList().run() },
    { name: 'Link', text: 'Link', pressed: on.link, run: () => (on.link ? chain().unsetLink().run() : setLinking(true)) },
    ...(onPicture ? [{ name: 'Picture', text: 'Picture', pressed: on.picture, run: onPicture }] : []),
    { name: 'Undo', text: 'Undo', off: !on.undo, run: () => chain().undo().run() },
    { name: 'Redo', text: 'Redo', off: !on.redo, run: () => chain().redo().run() },
  ];
  return (
    <div className="rich-text__bar" role="toolbar" aria-label={`Formatting of ${label}`}>
      {tools.map((tool) => (
        <button
          key={tool.name}
          type="button"
          className="rich-text__tool"
          aria-label={tool.name}
          title={tool.name}
          {...(tool.pressed !== undefined && { 'aria-pressed': tool.pressed })}
          aria-disabled={tool.off || undefined}
          onClick={() => {
            if (!tool.off) tool.run();
          }}
        >
          {tool.text}
        </button>
      ))}
      {linking ? (
        <LinkField
          onClose={() => {
            setLinking(false);
            editor.commands.focus();
          }}
          onLink={(href) => {
            setLinking(false);
            chain().extendMarkRange('link').setLink({ href }).run();
          }}
        />
      ) : null}
    </div>
  );
}

function LinkField({ onLink, onClose }: { onLink: (href: string) => void; onClose: () => void }) {
  const [href, setHref] = useState('https://');
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  return (
    <div className="rich-text__link">
      <input
        ref={field}
        className="input"
        aria-label="Link address"
        value={href}
        onChange={({ target }) => setHref(target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onClose();
          else if (event.key === 'Enter') onLink(href.trim());
          else return;
          event.preventDefault();
        }}
      />
      <Button onClick={() => onLink(href.trim())}>Set</Button>
    </div>
  );
}
