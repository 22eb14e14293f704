// Where the map draws what: the ideas stand on a circle, those of a book together, and a link is a curve between two of them.
import type { IdeaLink } from '@/features/catalogue/ideas/queries';

/** The drawing is a square of this size, and its center is the middle. */
export const SIZE = 1000;
const MIDDLE = SIZE / 2;
/** The circle of the ideas; outside of it stand the titles of the books. */
const RADIUS = 232;
const TITLES = RADIUS + 26;
/** Between two books, the space of this many ideas. */
const GAP = 1.4;
/** The part of the way to the center that a curve is drawn towards it. */
const BEND = 0.82;
/** The characters of a title for which there is room. */
const TITLE_CHARS = 21;

export interface MapIdea {
  key: string;
  subid: string;
  x: number;
  y: number;
}

export interface MapBook {
  subid: string;
  /** The title, as much as there is room for. */
  title: string;
  /** Where the title begins or ends, and by how many degrees it is turned. */
  x: number;
  y: number;
  turn: number;
  /** On the left half the title ends at the circle. */
  isLeft: boolean;
}

export interface MapCurve {
  id: number;
  kind: IdeaLink['kind'];
  /** The keys of the two ideas. */
  ends: readonly [string, string];
  path: string;
  /** Two ideas of the topic, for its name. */
  name: string;
}

export interface IdeaMapLayout {
  books: MapBook[];
  ideas: MapIdea[];
  curves: MapCurve[];
}

type End = IdeaLink['from'];
const keyOf = ({ subid, idea }: End) => `${subid} ${idea}`;

/** The title, shortened at a word where it is too long. */
export function shortTitle(title: string): string {
  if (title.length <= TITLE_CHARS) return title;
  const cut = title.slice(0, TITLE_CHARS - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > TITLE_CHARS / 2 ? cut.slice(0, space) : cut).replace(/[\s,:;]+$/, '')}…`;
}

/** The books around the circle: after each one the book that has most links with those that stand there, so that curves stay short. */
export function orderOf(links: readonly IdeaLink[]): string[] {
  const shared = new Map<string, Map<string, number>>();
  const count = (one: string, other: string) => {
    const of = shared.get(one) ?? new Map<string, number>();
    shared.set(one, of.set(other, (of.get(other) ?? 0) + 1));
  };
  for (const { from, to } of links) {
    count(from.subid, to.subid);
    count(to.subid, from.subid);
  }
  const total = (book: string) => [...(shared.get(book)?.values() ?? [])].reduce((sum, links) => sum + links, 0);
  const left = [...shared.keys()].sort((one, other) => total(other) - total(one) || one.localeCompare(other));
  const order: string[] = [];
  while (left.length > 0) {
    const near = order.slice(-3);
    const pull = (book: string) => near.reduce((sum, neighbor, i) => sum + (shared.get(book)?.get(neighbor) ?? 0) * (i + 1), 0);
    const next = left.reduce((best, book) => (pull(book) > pull(best) ? book : best));
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return order;
}

const round = (value: number) => Math.round(value * 10) / 10;
const at = (angle: number, radius: number) => ({ x: round(MIDDLE + radius * Math.cos(angle)), y: round(MIDDLE + radius * Math.sin(angle)) });

/** Places the books, ideas and links of a topic. The same links give the same drawing. */
export function layoutOf(links: readonly IdeaLink[]): IdeaMapLayout {
  const ends = new Map<string, End>();
  for (const end of links.flatMap(({ from, to }) => [from, to])) ends.set(keyOf(end), end);
  const order = orderOf(links);
  const ideasOf = (subid: string) => [...ends.values()].filter((end) => end.subid === subid).sort((one, other) => (one.section ?? 0) - (other.section ?? 0));
  const step = (2 * Math.PI) / (ends.size + order.length * GAP);
  const books: MapBook[] = [];
  const ideas: MapIdea[] = [];
  const angles = new Map<string, number>();
  // The first book begins at the top.
  let slots = 0;
  const angleOf = (slot: number) => slot * step - Math.PI / 2;
  for (const subid of order) {
    const own = ideasOf(subid);
    own.forEach((end, i) => {
      const angle = angleOf(slots + i + GAP / 2);
      angles.set(keyOf(end), angle);
      ideas.push({ key: keyOf(end), subid, ...at(angle, RADIUS) });
    });
    const center = angleOf(slots + (own.length - 1) / 2 + GAP / 2);
    const isLeft = Math.cos(center) < 0;
    const degrees = (center * 180) / Math.PI;
    books.push({ subid, title: shortTitle(own[0]?.bookTitle ?? ''), ...at(center, TITLES), turn: round(isLeft ? degrees + 180 : degrees), isLeft });
    slots += own.length + GAP;
  }
  const curves = links.map((link): MapCurve => {
    const [one, other] = [angles.get(keyOf(link.from)) ?? 0, angles.get(keyOf(link.to)) ?? 0];
    const [start, end] = [at(one, RADIUS), at(other, RADIUS)];
    const [first, second] = [at(one, RADIUS * (1 - BEND)), at(other, RADIUS * (1 - BEND))];
    return {
      id: link.id,
      kind: link.kind,
      ends: [keyOf(link.from), keyOf(link.to)],
      path: `M${start.x} ${start.y}C${first.x} ${first.y} ${second.x} ${second.y} ${end.x} ${end.y}`,
      name: `${link.from.idea} – ${link.to.idea}`,
    };
  });
  return { books, ideas, curves };
}
