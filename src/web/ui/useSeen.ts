import { useEffect, useRef, useState } from "react"

/** Whether the element has been on the screen: what costs a request is asked for then. */
export const useSeen = <Box extends Element>() => {
  const box = useRef<Box>(null)
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const element = box.current
    if (element === null || isSeen) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isSeen])
  return [box, isSeen] as const
}
