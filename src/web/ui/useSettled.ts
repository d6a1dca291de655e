import { useEffect, useState } from "react"

/** The value once it has stayed the same, as JSON, for so many milliseconds. */
export const useSettled = <Value>(value: Value, milliseconds: number): Value => {
  const [settled, settle] = useState(value)
  const isSettled = JSON.stringify(settled) === JSON.stringify(value)
  useEffect(() => {
    if (isSettled) return
    const timer = setTimeout(() => settle(value), milliseconds)
    return () => clearTimeout(timer)
  }, [isSettled, milliseconds, value])
  return settled
}
