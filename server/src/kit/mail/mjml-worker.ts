// The process behind mail-html.ts: takes one MJML source, answers with its HTML and ends.
import mjml2html from 'mjml'

export type MjmlAnswer = { html: string } | { error: string }

process.once('message', async (source: string) => {
  let answer: MjmlAnswer
  try {
    // No fonts from elsewhere: mjml would link them from a stranger's server.
    const { html, errors } = await mjml2html(source, { validationLevel: 'strict', fonts: {} })
    answer =
      errors.length === 0 ? { html } : { error: errors.map(({ formattedMessage }) => formattedMessage).join('; ') }
  } catch (error) {
    answer = { error: error instanceof Error ? error.message : String(error) }
  }
  process.send!(answer, () => process.disconnect!())
})
