import type { ComponentProps, ReactNode } from 'react';
import { Link } from 'react-router';

interface ButtonStyle {
  /** primary: the main action of a page. */
  kind?: 'primary' | 'secondary' | 'quiet' | 'harm';
  large?: boolean;
  wide?: boolean;
}

const classes = ({ kind = 'secondary', large, wide }: ButtonStyle, more?: string) =>
  ['button', `button--${kind}`, large && 'button--large', wide && 'button--wide', more].filter(Boolean).join(' ');

type ButtonProps = ButtonStyle & { busy?: boolean; busyText?: string; children: ReactNode } & Omit<ComponentProps<'button'>, 'disabled'>;

/** While busy or disabled it keeps its focus and size, and ignores presses. */
export function Button({
  kind,
  large,
  wide,
  busy = false,
  busyText,
  type = 'button',
  className,
  onClick,
  children,
  'aria-disabled': disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      className={classes({ ...(kind && { kind }), ...(large && { large }), ...(wide && { wide }) }, className)}
      aria-disabled={busy || disabled || undefined}
      onClick={(event) => {
        if (busy || disabled) event.preventDefault();
        else onClick?.(event);
      }}
    >
      {busy && <span className="button__busy" aria-hidden="true" />}
      {busy && busyText ? busyText : children}
    </button>
  );
}

type LinkButtonProps = ButtonStyle & ComponentProps<typeof Link>;

export function LinkButton({ kind, large, wide, className, ...rest }: LinkButtonProps) {
  return <Link {...rest} className={classes({ ...(kind && { kind }), ...(large && { large }), ...(wide && { wide }) }, className)} />;
}
