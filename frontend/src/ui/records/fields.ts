// The fields of the back office's forms: definitions, values and validation (admin.form-fields).
import type { ReactNode } from 'react';

export type FieldType = 'text' | 'date' | 'datetime' | 'textarea' | 'select' | 'normal-select' | 'multi-select' | 'file' | 'hidden' | 'readonly' | 'switch';

export interface Option {
  value: string;
  label: string;
}

export interface FieldDef {
  id: string;
  /** Without an asterisk: the form adds it to required fields. */
  label: string;
  type: FieldType;
  /** The input type of a `text` field. */
  inputType?: 'number' | 'email' | 'url' | 'password';
  required?: boolean;
  options?: readonly Option[];
  /** Values that are not options may be typed (tags). */
  creatable?: boolean;
  helpText?: ReactNode;
  rows?: number;
  /** A heading above this field and the fields that follow it. */
  section?: string;
  /** Half the width: two such fields in a row are side by side. */
  half?: boolean;
  /** Whether the field is shown and validated with these values; default: always. */
  showIf?: (values: Values) => boolean;
  /** For `file`: the input's `accept`. */
  accept?: string;
}

/** An array for `multi-select`, a boolean for `switch`, a file for `file`, otherwise a string. */
export type FieldValue = string | readonly string[] | boolean | File | null;
export type Values = Readonly<Record<string, FieldValue>>;

export const textOf = (values: Values, id: string): string => {
  const value = values[id];
  return typeof value === 'string' ? value : '';
};

export const listOf = (values: Values, id: string): readonly string[] => {
  const value = values[id];
  return Array.isArray(value) ? (value as readonly string[]) : [];
};

export const isOn = (values: Values, id: string): boolean => values[id] === true;

export const sameValue = (a: FieldValue | undefined, b: FieldValue | undefined): boolean =>
  Array.isArray(a) && Array.isArray(b) ? a.length === b.length && a.every((item, index) => item === b[index]) : (a ?? '') === (b ?? '');

/** The fields that are shown with these values. */
export const shownFields = (fields: readonly FieldDef[], values: Values): readonly FieldDef[] => fields.filter(({ showIf }) => showIf?.(values) ?? true);

/** The ids of the fields in which two sets of values differ. */
export const differences = (fields: readonly FieldDef[], a: Values, b: Values): string[] => fields.map(({ id }) => id).filter((id) => !sameValue(a[id], b[id]));

const isEmpty = (value: FieldValue | undefined): boolean => {
  if (typeof value === 'string') return value.trim() === '';
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === undefined;
};

/** The first shown field that is invalid, with its message; null when all are valid. File, hidden and read-only fields are not validated. */
export function firstFailure(fields: readonly FieldDef[], values: Values): { id: string; message: string } | null {
  for (const { id, label, type, inputType, required } of shownFields(fields, values)) {
    if (type === 'file' || type === 'hidden' || type === 'readonly' || type === 'switch') continue;
    const value = values[id];
    const name = label.replaceAll('*', '').trim();
    if (inputType === 'number' && typeof value === 'string' && (required || value.trim() !== '') && !(value.trim() !== '' && Number(value) >= 0)) {
      return { id, message: `Please make sure ${name} is greater or equal to 0.` };
    }
    if (required && isEmpty(value)) return { id, message: `Please specify ${name}.` };
  }
  return null;
}

/** A value in readable form, for comparisons. */
export function describeValue({ options, type }: FieldDef, value: FieldValue | undefined): string {
  const label = (one: string) => options?.find((option) => option.value === one)?.label ?? one;
  if (type === 'switch') return value === true ? 'Yes' : 'No';
  if (Array.isArray(value)) return (value as readonly string[]).map(label).join(', ') || 'None';
  if (typeof value === 'string') return (type === 'select' || type === 'normal-select' ? label(value) : value) || 'Empty';
  return value instanceof File ? value.name : 'Empty';
}
