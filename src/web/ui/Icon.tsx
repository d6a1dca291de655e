import type { IconName } from "./IconPaths.ts"
import { iconPaths } from "./IconPaths.ts"

/** A picture beside words; it says nothing to who cannot see it. */
export const Icon = ({ name, size = 16 }: { readonly name: IconName; readonly size?: number }) => (
  <svg className="icon" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={iconPaths[name]} />
  </svg>
)

/** The product's mark. */
export const Mark = ({ size = 22 }: { readonly size?: number }) => (
  <svg className="mark" width={size} height={size} viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path className="mark-shield" d="M12 1.5 3.5 4.7V12c0 5.3 3.6 8.9 8.5 10.5 4.9-1.6 8.5-5.2 8.5-10.5V4.7z" />
    <path className="mark-line" d="m7.5 15.2 2.9-5.4 3 3L16.4 8" />
  </svg>
)
