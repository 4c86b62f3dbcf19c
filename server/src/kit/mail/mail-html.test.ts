import { describe, expect, it } from 'vitest'
import { mailBody, wrapMail, type MailFrame } from './mail-html.ts'

const frame: MailFrame = { language: 'de', title: 'Betreff', sender: 'Spedition', html: '<p>Guten Tag</p>', footer: [] }
const REFERENCE = 'SZG-„Ostsee“/26 & Co <dringend>'

describe('a body written by anybody', () => {
  it.each([
    ['a script', '<p>a</p><script>steal()</script>', /<script|steal/i],
    ['an event handler', '<p onclick="steal()">a</p>', /onclick|steal/],
    ['a javascript link', '<a href="javascript:steal()">a</a>', /javascript|steal/],
    ['a data link', '<a href="data:text/html,steal">a</a>', /data:text|steal/],
    ['a picture that tells who reads', '<img src="https://evil.example/pixel.gif">', /<img|evil\.example/],
    ['a foreign style', '<p style="background:url(https://evil.example/x)">a</p>', /evil\.example/],
    ['a style sheet', '<style>p{background:url(https://evil.example/x)}</style>', /evil\.example/],
    ['a form', '<form action="https://evil.example"><input name="password"></form>', /evil\.example|<input|<form/],
    ['a frame', '<iframe src="https://evil.example"></iframe>', /iframe|evil/],
    ['a link without a scheme of its own', '<a href="//evil.example">a</a>', /evil\.example/],
    ['a broken-out comment', '<!--[if mso]><script>steal()</script><![endif]-->', /steal/],
  ])('loses %s', async (_what, html, forbidden) => {
    const mail = await wrapMail({ ...frame, html })
    expect(mail.html).not.toMatch(forbidden)
    expect(mail.text).not.toMatch(forbidden)
  })

  it('keeps what a letter needs', async () => {
    const { html, text } = await wrapMail({
      ...frame,
      html:
        '<h2>Kopf</h2><p>Ein <strong>fetter</strong> <a href="https://example.org/a?b=1&amp;' +
        'c=2">Link</a></p><ul><li>eins</li><li>zwei</li></ul>',
    })
    expect(html).toMatch(/<strong>fetter<\/strong>/)
    expect(html).toContain('href="https://example.org/a?b=1&amp;c=2"')
    expect(html).toMatch(/<li style="[^"]+">eins<\/li>/)
    expect(text).toContain('Kopf\n\nEin fetter Link [https://example.org/a?b=1&c=2]\n\n * eins\n * zwei')
  })
})

describe('values in a mail', () => {
  it('come out as they are, in HTML and in text', async () => {
    const body = mailBody([
      { kind: 'paragraph', text: `Ihr Zeichen: ${REFERENCE}\nŁódź, Größe` },
      {
        kind: 'facts',
        rows: [
          ['Referenz', REFERENCE],
          ['Betrag', '1.404,20 €'],
        ],
      },
    ])
    const { html, text } = await wrapMail({
      ...frame,
      html: body,
      title: REFERENCE,
      sender: `Müller ${REFERENCE}`,
      footer: [REFERENCE],
      button: { label: REFERENCE, url: 'https://example.org/?a="b"&c' },
    })
    expect(html).not.toContain('<dringend>')
    const shown = html
      .replace(/&#(\d+);/g, (_entity, code: string) => String.fromCharCode(Number(code)))
      .replace(/&amp;/g, '&')
      .replace(/&lt;/g, '<')
      .replace(/&gt;/g, '>')
      .replace(/&quot;/g, '"')
    // title and its label for screen readers, sender, two in the body, button, footer
    expect(shown.split(REFERENCE)).toHaveLength(8)
    expect(html).toContain('Łódź, Größe')
    expect(text).toContain(`Ihr Zeichen: ${REFERENCE}\nŁódź, Größe`)
    expect(text).toMatch(/Betrag\s+1\.404,20 €/)
    expect(text).toContain(`${REFERENCE}: https://example.org/?a="b"&c`)
    expect(text.endsWith(`-- \n${REFERENCE}`)).toBe(true)
  })

  it('are never taken for a slot of the frame', async () => {
    const { html } = await wrapMail({ ...frame, html: '<p>{{footer}} $& $1</p>', footer: ['Fußzeile'] })
    expect(html).toContain('{{footer}} $&amp; $1')
    expect(html.split('Fußzeile')).toHaveLength(2)
  })
})

describe('the frame', () => {
  it('names its language, fetches nothing and leaves no slot open', async () => {
    const { html } = await wrapMail({ ...frame, button: { label: 'Öffnen', url: 'https://example.org/' } })
    expect(html).toContain('lang="de"')
    expect(html).toMatch(/<title>Betreff<\/title>/)
    expect(html).not.toMatch(/<link|@import|<img|\{\{/)
    expect(html.match(/https?:\/\/(?!www\.w3\.org)[^"' ]+/g)).toEqual(['https://example.org/'])
  })

  it('has a button only where there is something to do', async () => {
    expect((await wrapMail(frame)).html).not.toContain('#0c647b;color:#ffffff')
    await expect(wrapMail({ ...frame, button: { label: 'x', url: 'javascript:steal()' } })).rejects.toThrow(
      'http or https',
    )
  })
})
