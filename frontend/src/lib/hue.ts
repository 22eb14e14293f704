/** The CSS class for a category's hue (0 to 360 degrees): the nearest of those in ui/styles/hues.css. */
export const hueClass = (hue: number) => `hue-${(((Math.round(hue / 15) * 15) % 360) + 360) % 360}`;
