import { useEffect, useRef } from "react"

/** Stands at the beginning of a list and says whether that has been scrolled out of the window. */
export const ScrollMark = ({ onPast }: { readonly onPast: (isPast: boolean) => void }) => {
  const mark = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const observer = new IntersectionObserver(([entry]) => {
      if (entry !== undefined) onPast(!entry.isIntersecting && entry.boundingClientRect.top < 0)
    })
    if (mark.current !== null) observer.observe(mark.current)
    return () => observer.disconnect()
  }, [onPast])
  return <div ref={mark} className="live-top" />
}
