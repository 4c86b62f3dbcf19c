import type { MailText } from '@waybill/contract/intake/reading'

// A mail as a text file: header lines, also in the words of Outlook and of Polish programs, an empty line, the text.
const HEADERS: Readonly<Record<string, string>> = {
  from: 'from',
  von: 'from',
  od: 'from',
  date: 'date',
  sent: 'date',
  gesendet: 'date',
  datum: 'date',
  wysłano: 'date',
  data: 'date',
  subject: 'subject',
  betreff: 'subject',
  temat: 'subject',
  to: 'to',
  an: 'to',
  do: 'to',
  cc: 'cc',
  kopia: 'cc',
  dw: 'cc',
}
const MONTHS: Readonly<Record<string, number>> = {
  januar: 1,
  februar: 2,
  märz: 3,
  april: 4,
  mai: 5,
  juni: 6,
  juli: 7,
  august: 8,
  september: 9,
  oktober: 10,
  november: 11,
  dezember: 12,
  stycznia: 1,
  lutego: 2,
  marca: 3,
  kwietnia: 4,
  maja: 5,
  czerwca: 6,
  lipca: 7,
  sierpnia: 8,
  września: 9,
  października: 10,
  listopada: 11,
  grudnia: 12,
}
const ENGLISH = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

const pad = (value: unknown): string => String(value).padStart(2, '0')

/** A header's date as RFC 3339, in its own zone where it names one. */
function sentAtOf(written: string): string {
  const zone = /([+-]\d\d):?(\d\d)\s*$/.exec(written)
  const offset = zone ? `${zone[1]}:${zone[2]}` : 'Z'
  const time = /(\d{1,2}):(\d\d)(?::(\d\d))?/.exec(written)
  const clock = time ? `${pad(time[1])}:${time[2]}:${time[3] ?? '00'}` : '00:00:00'
  const iso = /(\d{4})-(\d\d)-(\d\d)/.exec(written)
  const figures = /(\d{1,2})[./](\d{1,2})[./](\d{4})/.exec(written)
  const worded = /(\d{1,2})\.?\s+(\p{L}+)\.?\s+(\d{4})/u.exec(written)
  const american = /(\p{L}{3,})\s+(\d{1,2}),?\s+(\d{4})/u.exec(written)
  const monthOf = (word: string): number => {
    const small = word.toLowerCase()
    return MONTHS[small] ?? ENGLISH.indexOf(small.slice(0, 3)) + 1
  }
  const day = iso
    ? iso[0]
    : figures
      ? `${figures[3]}-${pad(figures[2])}-${pad(figures[1])}`
      : worded
        ? `${worded[3]}-${pad(monthOf(worded[2]!))}-${pad(worded[1])}`
        : american
          ? `${american[3]}-${pad(monthOf(american[1]!))}-${pad(american[2])}`
          : '2000-01-01'
  return `${day}T${clock}${offset}`
}

function senderOf(written: string): NonNullable<MailText['from']> {
  const match =
    /^\s*"?([^"<]*?)"?\s*<([^>]*)>\s*$/.exec(written) ?? /^\s*(.*?)\s*\[(?:mailto:)?([^\]]*)\]\s*$/.exec(written)
  if (match) return { name: match[1] === '' ? null : match[1]!, address: match[2]! }
  const address = /\S+@\S+/.exec(written)
  return address ? { name: null, address: address[0] } : { name: written.trim(), address: '' }
}

/** The mail of such a file. */
export function mailOf(file: string): MailText {
  const lines = file.replace(/^\ufeff/, '').split(/\r?\n/)
  const head: Record<string, string> = {}
  let at = 0
  for (; at < lines.length; at += 1) {
    const match = /^(\p{L}+)\s*:\s*(.*)$/u.exec(lines[at]!)
    const name = match === null ? undefined : HEADERS[match[1]!.toLowerCase()]
    if (name === undefined) break
    head[name] ??= match![2]!
  }
  if ((lines[at] ?? '').trim() === '') at += 1
  return {
    text: lines.slice(at).join('\n'),
    subject: head.subject ?? null,
    from: head.from === undefined ? null : senderOf(head.from),
    sentAt: sentAtOf(head.date ?? ''),
  }
}
