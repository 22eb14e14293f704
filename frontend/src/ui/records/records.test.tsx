import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { RouterProvider, createMemoryRouter } from 'react-router';
import { describe, expect, it, vi } from 'vitest';
import { ApiError } from '@/api/errors';
import { DataTable } from '@/ui/records/DataTable';
import { Picker } from '@/ui/records/Picker';
import { RecordForm } from '@/ui/records/RecordForm';
import type { Loaded } from '@/ui/records/RecordForm';
import { UploadForm } from '@/ui/records/UploadForm';
import type { UploadProgress } from '@/ui/records/UploadForm';
import { firstFailure } from '@/ui/records/fields';
import type { FieldDef, Values } from '@/ui/records/fields';
import { merge } from '@/ui/records/merge';
import { sortOn } from '@/ui/records/sortOn';

const FIELDS: readonly FieldDef[] = [
  { id: 'title', label: 'Title', type: 'text', required: true },
  { id: 'mins', label: 'Minutes*', type: 'text', inputType: 'number' },
  { id: 'kind', label: 'Kind', type: 'normal-select', required: true, options: [{ value: 'a', label: 'A' }] },
  { id: 'tags', label: 'Tags', type: 'multi-select', required: true, options: [{ value: '1', label: 'One' }] },
  { id: 'photo', label: 'Photo', type: 'file', required: true },
];

const onRouter = (element: React.ReactNode) => {
  const router = createMemoryRouter([{ path: '*', element }], { initialEntries: ['/here'] });
  render(<RouterProvider router={router} />);
  return router;
};

describe('validation', () => {
  const full: Values = { title: 'Emma', mins: '', kind: 'a', tags: ['1'], photo: null };
  it.each([
    [{ title: ' ' }, 'Please specify Title.'],
    [{ mins: 'a few', kind: '' }, 'Please make sure Minutes is greater or equal to 0.'],
    [{ mins: '-1' }, 'Please make sure Minutes is greater or equal to 0.'],
    [{ kind: '', tags: [] }, 'Please specify Kind.'],
    [{ tags: [] }, 'Please specify Tags.'],
    [{}, undefined],
    [{ mins: '12' }, undefined],
  ])('names the first failing field of %j', (change, message) => {
    expect(firstFailure(FIELDS, { ...full, ...change })?.message).toBe(message);
  });
});

describe('two editors of one record', () => {
  const fields: readonly FieldDef[] = [
    { id: 'title', label: 'Title', type: 'text' },
    { id: 'author', label: 'Author', type: 'text' },
  ];
  const base = { title: 'Emma', author: 'Austen' };

  it('keep what each of them changed alone, and clash where both did', () => {
    expect(merge(fields, base, { ...base, title: 'Emma!' }, { ...base, author: 'Jane Austen' })).toEqual({
      values: { title: 'Emma!', author: 'Jane Austen' },
      clashes: [],
    });
    expect(merge(fields, base, { ...base, title: 'Mine' }, { ...base, title: 'Theirs' }).clashes).toEqual(['title']);
    expect(merge(fields, base, { ...base, title: 'Same' }, { ...base, title: 'Same' }).clashes).toEqual([]);
  });

  it('are shown both values, and nothing is overwritten unseen', async () => {
    const sent: [Values, number | null][] = [];
    const theirs: Loaded = { values: { title: 'Theirs', author: 'Jane Austen' }, version: 5, by: 'Grace' };
    onRouter(
      <RecordForm
        fields={fields}
        loaded={{ values: base, version: 4, by: null }}
        reload={() => Promise.resolve(theirs)}
        submit={(values, version) => {
          sent.push([values, version]);
          if (version === 4) return Promise.reject(new ApiError({ status: 409, code: 'edit_conflict', message: 'It was changed.' }));
          return Promise.resolve({ message: 'Saved.', loaded: { values, version: 6, by: null } });
        }}
      />,
    );
    await userEvent.clear(screen.getByLabelText('Title'));
    await userEvent.type(screen.getByLabelText('Title'), 'Mine');
    await userEvent.click(screen.getByRole('button', { name: 'Save' }));
    const dialog = await screen.findByRole('dialog', { name: 'This was changed in the meantime' });
    expect(dialog).toHaveTextContent('Grace saved it while you were typing.');
    expect(within(dialog).getAllByRole('group')).toHaveLength(1);
    await userEvent.click(within(dialog).getByRole('radio', { name: /Theirs/ }));
    await userEvent.click(within(dialog).getByRole('button', { name: 'Save this' }));
    expect(await screen.findByText('Saved.')).toBeVisible();
    expect(sent[1]).toEqual([{ title: 'Theirs', author: 'Jane Austen' }, 5]);
  });
});

describe('a picker', () => {
  function Chosen({ creatable = false }: { creatable?: boolean }) {
    const [value, setValue] = useState<readonly string[]>([]);
    return (
      <>
        <Picker
          label="Tags"
          multiple
          creatable={creatable}
          options={[
            { value: '1', label: 'Calm' },
            { value: '2', label: 'Courage' },
          ]}
          value={value}
          onChange={setValue}
        />
        <p data-testid="chosen">{value.join()}</p>
      </>
    );
  }

  it('chooses by typing and keys, and gives back with Backspace', async () => {
    render(<Chosen />);
    const box = screen.getByRole('combobox', { name: 'Tags' });
    await userEvent.type(box, 'cou{Enter}');
    await userEvent.type(box, '{ArrowDown}{Enter}');
    expect(screen.getByTestId('chosen')).toHaveTextContent('2,1');
    await userEvent.type(box, '{Backspace}');
    expect(screen.getByTestId('chosen')).toHaveTextContent('2');
    await userEvent.click(screen.getByRole('button', { name: 'Remove Courage' }));
    expect(screen.getByTestId('chosen')).toHaveTextContent('');
    expect(box).toHaveFocus();
  });

  it('chooses no option of an earlier query by Enter, and one by the mouse', async () => {
    const onChange = vi.fn();
    const picker = (isWaiting: boolean) => (
      <Picker label="Book" options={[{ value: 'emma', label: 'Emma' }]} value={[]} onChange={onChange} onQuery={() => undefined} isWaiting={isWaiting} />
    );
    const { rerender } = render(picker(true));
    const box = screen.getByRole('combobox', { name: 'Book' });
    await userEvent.type(box, 'wal{Enter}');
    expect(onChange).not.toHaveBeenCalled();
    expect(box).toHaveValue('wal');
    await userEvent.click(screen.getByRole('option', { name: 'Emma' }));
    expect(onChange).toHaveBeenLastCalledWith(['emma']);
    rerender(picker(false));
    await userEvent.type(box, 'emm{Enter}');
    expect(onChange).toHaveBeenCalledTimes(2);
  });

  it('takes a new one only where that is allowed', async () => {
    const { unmount } = render(<Chosen />);
    await userEvent.type(screen.getByRole('combobox'), 'Hope{Enter}');
    expect(screen.getByTestId('chosen')).toHaveTextContent('');
    unmount();
    render(<Chosen creatable />);
    await userEvent.type(screen.getByRole('combobox'), 'Hope{Enter}');
    expect(screen.getByTestId('chosen')).toHaveTextContent('Hope');
  });
});

describe('a table', () => {
  it('chooses a range with x and Shift, and all', async () => {
    const chosen = vi.fn();
    function Table() {
      const [keys, setKeys] = useState<ReadonlySet<string>>(new Set());
      return (
        <DataTable
          caption="Things"
          columns={[{ id: 'name', header: 'Name', cell: (row: { name: string }) => <a href={`/${row.name}`}>{row.name}</a> }]}
          rows={['a', 'b', 'c'].map((name) => ({ name }))}
          keyOf={({ name }) => name}
          nameOf={({ name }) => name}
          chosen={keys}
          onChoose={(next) => {
            setKeys(next);
            chosen([...next]);
          }}
        />
      );
    }
    render(<Table />);
    screen.getByRole('link', { name: 'a' }).focus();
    await userEvent.keyboard('x{ArrowDown}');
    expect(screen.getByRole('link', { name: 'b' })).toHaveFocus();
    await userEvent.keyboard('{End}{Shift>}X{/Shift}');
    // Shift selects a range from the last selected row.
    expect(chosen).toHaveBeenLastCalledWith(['a', 'b', 'c']);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select b' }));
    expect(chosen).toHaveBeenLastCalledWith(['a', 'c']);
    await userEvent.click(screen.getByRole('checkbox', { name: 'Select all' }));
    expect(chosen).toHaveBeenLastCalledWith(['a', 'b', 'c']);
  });

  it('moves over rows without a link, which take the focus themselves', async () => {
    render(
      <DataTable
        caption="Things"
        columns={[{ id: 'name', header: 'Name', cell: ({ name, to }: { name: string; to: string | null }) => (to === null ? name : <a href={to}>{name}</a>) }]}
        rows={[
          { name: 'a', to: '/a' },
          { name: 'b', to: null },
          { name: 'c', to: '/c' },
        ]}
        keyOf={({ name }) => name}
        nameOf={({ name }) => name}
      />,
    );
    screen.getByRole('link', { name: 'a' }).focus();
    await userEvent.keyboard('j');
    expect(screen.getByRole('row', { name: 'b' })).toHaveFocus();
    await userEvent.keyboard('j');
    expect(screen.getByRole('link', { name: 'c' })).toHaveFocus();
  });

  it('is sorted on a narrow screen by its hidden columns too (admin.row-actions)', async () => {
    vi.spyOn(window, 'matchMedia').mockImplementation(
      (media) => ({ matches: true, media, addEventListener: () => undefined, removeEventListener: () => undefined }) as unknown as MediaQueryList,
    );
    const onSort = vi.fn();
    render(
      <DataTable
        caption="Things"
        columns={[
          { id: 'name', header: 'Name', cell: ({ name }: { name: string }) => name, sortable: true },
          { id: 'date', header: 'Date', cell: () => '2026', sortable: true, wide: true },
        ]}
        rows={[{ name: 'a' }]}
        keyOf={({ name }) => name}
        nameOf={({ name }) => name}
        sort={{ by: 'date', descending: true }}
        onSort={onSort}
      />,
    );
    await userEvent.click(screen.getByRole('button', { name: 'Date, descending' }));
    expect(onSort).toHaveBeenCalledExactlyOnceWith('date');
    vi.restoreAllMocks();
  });

  it('sorts dates and counts downwards first, everything else upwards', () => {
    expect(sortOn({ by: 'id', descending: false }, 'uploadDate')).toEqual({ by: 'uploadDate', descending: true });
    expect(sortOn({ by: 'id', descending: false }, 'title')).toEqual({ by: 'title', descending: false });
    expect(sortOn({ by: 'id', descending: false }, 'id')).toEqual({ by: 'id', descending: true });
  });
});

describe('an upload', () => {
  const file = new File(['x'.repeat(100)], 'film.mp4', { type: 'video/mp4' });
  const open = (upload: (file: File, onProgress: (progress: UploadProgress) => void, signal: AbortSignal) => Promise<void>) =>
    onRouter(
      <UploadForm
        label="Video"
        limits="MP4"
        accept="video/mp4"
        success="The video was uploaded successfully!"
        current={null}
        failureText={(error) => (error instanceof ApiError && error.code === 'cancelled' ? null : 'Upload failed. Please try again.')}
        upload={upload}
      />,
    );

  it('shows its progress, is disabled meanwhile, and can be cancelled', async () => {
    let report: (progress: UploadProgress) => void = () => undefined;
    open((_file, onProgress, signal) => {
      report = onProgress;
      return new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new ApiError({ status: 0, code: 'cancelled', message: '' }))));
    });
    await userEvent.upload(screen.getByLabelText('Video'), file);
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }));
    expect(screen.getByLabelText('Video')).toBeDisabled();
    await waitFor(() => {
      report({ sent: 40, total: 100 });
      expect(screen.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '40');
    });
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    expect(await screen.findByText('The upload was cancelled. Nothing was changed.')).toBeVisible();
    expect(screen.queryByRole('progressbar')).toBeNull();
    expect(screen.getByLabelText('Video')).toBeEnabled();
  });

  it('says that it is done, or why it is not', async () => {
    let fails = true;
    open(() => (fails ? Promise.reject(new Error('broken')) : Promise.resolve()));
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }));
    expect(screen.getByRole('alert')).toHaveTextContent('Please specify Video.');
    await userEvent.upload(screen.getByLabelText('Video'), file);
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }));
    expect(await screen.findByRole('alert')).toHaveTextContent('Upload failed. Please try again.');
    fails = false;
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }));
    expect(await screen.findByText('The video was uploaded successfully!')).toBeVisible();
  });
});
