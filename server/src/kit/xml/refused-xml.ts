/** Why a file is not read: what it holds, how much of it, how it is written, or what it lacks. */
export type XmlRefusal = 'unsafe' | 'too_heavy' | 'broken' | 'incomplete'

/** A file that is refused while it is read as XML. */
export class RefusedXml extends Error {
  readonly code: XmlRefusal
  constructor(code: XmlRefusal) {
    super(code)
    this.code = code
  }
}
