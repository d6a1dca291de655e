import { useEffect, useRef } from "react"

/**
 * A field that is its own while somebody types, so that no character is lost to a slow page. Else it says what the page shows, which a link
 * or the way back may have changed.
 */
export const useFieldText = (text: string) => {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (field.current !== null && field.current !== document.activeElement) field.current.value = text
  }, [text])
  return field
}
