/** A reference that gives an element custom properties, such as `--length`: attributes of style would break the security policy. */
export const properties =
  (values: Readonly<Record<`--${string}`, string>>) =>
  (element: HTMLElement | null): void => {
    for (const [name, value] of Object.entries(values)) element?.style.setProperty(name, value)
  }
