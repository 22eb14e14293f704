import type { Summary } from '@/features/summaries/queries';
import type { IconName } from '@/ui/Icon';

const ICONS: Partial<Record<string, IconName>> = { link: 'link', file: 'file', text: 'lines' };

export const iconOf = ({ kind }: Summary['source']): IconName => ICONS[kind] ?? 'lines';
