/**
 * Whether a text can stand in a path by itself. Browsers and every client that follows the URL standard take `.` for the folder and `..` for
 * the one above it, also where they are escaped: they would ask for another path.
 */
export const isPathSegment = (text: string): boolean => text !== "." && text !== ".."
