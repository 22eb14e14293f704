// The reader's type settings besides the font size: typeface, line height, margins, background. Stored per device.

/** The choices of each setting; the first is the default. */
export const TYPE_SETTINGS = {
  face: ['serif', 'sans', 'dyslexic'],
  leading: ['normal', 'tight', 'loose'],
  margins: ['normal', 'narrow', 'wide'],
  /** Only in the light theme. */
  ground: ['paper', 'sepia'],
} as const;

export type TypeSetting = keyof typeof TYPE_SETTINGS;
export type TypeSettings = { [Name in TypeSetting]: (typeof TYPE_SETTINGS)[Name][number] };

const KEY = 'pith-type';
const NAMES = Object.keys(TYPE_SETTINGS) as TypeSetting[];

const choiceOf = <Choice>(choices: readonly [Choice, ...Choice[]], given: unknown): Choice => choices.find((one) => one === given) ?? choices[0];

/** Reads settings from untyped values; an invalid value becomes the default. */
function settingsOf({ face, leading, margins, ground }: Partial<Record<string, unknown>>): TypeSettings {
  return {
    face: choiceOf(TYPE_SETTINGS.face, face),
    leading: choiceOf(TYPE_SETTINGS.leading, leading),
    margins: choiceOf(TYPE_SETTINGS.margins, margins),
    ground: choiceOf(TYPE_SETTINGS.ground, ground),
  };
}

export function preferredType(): TypeSettings {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(KEY) ?? '{}');
    return settingsOf(typeof stored === 'object' && stored !== null ? stored : {});
  } catch {
    return settingsOf({});
  }
}

/** Sets the settings as data attributes on <html>, which the style sheet uses. */
export function applyType(settings: TypeSettings): void {
  const { dataset } = document.documentElement;
  for (const name of NAMES) {
    if (settings[name] === TYPE_SETTINGS[name][0]) Reflect.deleteProperty(dataset, name);
    else dataset[name] = settings[name];
  }
}

/** The settings that the page shows. */
export const currentType = (): TypeSettings => settingsOf(document.documentElement.dataset);

/** Applies and stores a choice. Without storage it lasts as long as the page. */
export function chooseType(choice: Partial<TypeSettings>): void {
  const settings = { ...currentType(), ...choice };
  applyType(settings);
  try {
    localStorage.setItem(KEY, JSON.stringify(settings));
  } catch {
    // The page has the setting; it is not stored.
  }
}
