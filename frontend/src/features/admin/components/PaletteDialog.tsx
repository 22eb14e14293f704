import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { KeyboardEvent } from 'react';
import { useNavigate } from 'react-router';
import type { User } from '@/api/types';
import { groupsFor } from '@/features/admin/areas';
import { paletteQuery } from '@/features/admin/palette';
import { useDebounced } from '@/lib/useDebounced';
import { paths } from '@/features/admin/paths';
import { Dialog } from '@/ui/Dialog';

interface Command {
  label: string;
  note: string;
  to: string;
}

/** The areas of the back office, and its pages that add something. */
const commandsFor = (role: User['role']): Command[] => [
  { label: 'Overview', note: 'Go to', to: paths.admin },
  ...groupsFor(role).flatMap(({ areas }) => areas.flatMap(({ label, to, add }) => [{ label, note: 'Go to', to }, ...(add ? [{ ...add, note: 'New' }] : [])])),
];

/** Finds areas, pages that add something, books and members by a few letters. */
export function PaletteDialog({ role, onClose }: { role: User['role']; onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const navigate = useNavigate();
  const query = useDebounced(typed.trim());
  const { data: found = [] } = useQuery({ ...paletteQuery(query, role), enabled: query.length > 1 });
  const wanted = typed.trim().toLowerCase();
  const commands = [...commandsFor(role).filter(({ label }) => label.toLowerCase().includes(wanted)), ...(wanted.length > 1 ? found : [])];
  const at = Math.min(active, Math.max(commands.length - 1, 0));

  const run = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    void navigate(command.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'ArrowDown') setActive((at + 1) % Math.max(commands.length, 1));
    else if (event.key === 'ArrowUp') setActive((at + commands.length - 1) % Math.max(commands.length, 1));
    else if (event.key === 'Enter') run(commands[at]);
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    document.getElementById(`command-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [at]);

  return (
    <Dialog open title="Go to" className="palette" onClose={onClose}>
      <input
        className="input palette__input"
        role="combobox"
        aria-label="Where to?"
        aria-expanded
        aria-controls="commands"
        aria-activedescendant={commands.length > 0 ? `command-${at}` : undefined}
        autoComplete="off"
        placeholder={role === 'admin' ? 'An area, a book, a member' : 'An area, a book'}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id="commands" className="palette__list" role="listbox" aria-label="Commands">
        {commands.map((command, index) => (
          <div
            key={`${command.note} ${command.to}`}
            id={`command-${index}`}
            className="palette__command"
            role="option"
            tabIndex={-1}
            aria-selected={index === at}
            onMouseMove={() => setActive(index)}
            onMouseDown={(event) => {
              event.preventDefault();
              run(command);
            }}
          >
            {command.label}
            <span className="palette__note">{command.note}</span>
          </div>
        ))}
      </div>
      {commands.length === 0 ? <p className="palette__none">No matches.</p> : null}
    </Dialog>
  );
}
