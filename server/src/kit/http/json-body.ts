import { AppError } from '../context/errors.ts'

// An order with its parts is six deep; a hundred thousand deep is an attack on the code that walks through it.
const MAX_DEPTH = 50
const [QUOTE, BACKSLASH] = [0x22, 0x5c]
const OPENING = new Set([0x5b, 0x7b])
const CLOSING = new Set([0x5d, 0x7d])

/** The text of a JSON body. Error: `malformed` for bytes that are no UTF-8, and for one that is nested too deep. */
export function jsonText(bytes: Buffer): string {
  let depth = 0
  let isInText = false
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at]!
    if (isInText) {
      if (byte === BACKSLASH) at++
      else if (byte === QUOTE) isInText = false
    } else if (byte === QUOTE) isInText = true
    else if (CLOSING.has(byte)) depth--
    else if (OPENING.has(byte) && ++depth > MAX_DEPTH) throw new AppError('malformed')
  }
  try {
    return UTF_8.decode(bytes)
  } catch (error) {
    throw new AppError('malformed', {}, { cause: error })
  }
}

const UTF_8 = new TextDecoder('utf-8', { fatal: true })
