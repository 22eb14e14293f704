// The colors of highlights (study.highlight-colors). Their order decides which of two wins that were chosen at the same moment.

export const COLORS = ['honey', 'leaf', 'sky', 'rose'] as const;

export type HighlightColor = (typeof COLORS)[number];

export const COLOR_NAMES: Readonly<Record<HighlightColor, string>> = { honey: 'Honey', leaf: 'Leaf', sky: 'Sky', rose: 'Rose' };
