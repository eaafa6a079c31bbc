import { DECISION_FORMATS } from './decision-formats';

const DECISION = {
  item_id: '1f0c5b58-9d3a-4d5c-8d0b-0c5b1f7b2a10',
  person: 'ana@example.com',
  verdict: 'answer',
  answer: { labels: ['boat', 'a "house"'] },
  reason: null,
  decided_at: '2026-11-24T09:32:10.500000',
  accepted: false,
  reviewed_by: 'ben@example.com',
  reviewed_at: '2026-11-24T09:40:00.000000',
  review_reason: '=HYPERLINK("http://example.com")',
} as const;

describe('decisions as a file', () => {
  it('have a line each in CSV, where no text is a formula', () => {
    const { begin, of } = DECISION_FORMATS.CSV;
    expect(begin.split(',')).toHaveLength(10);
    expect(of({ ...DECISION, answer: { labels: [...DECISION.answer.labels] } })).toBe(
      `"${DECISION.item_id}","ana@example.com","answer","{""labels"":[""boat"",""a \\""house\\""""]}",,` +
        `"2026-11-24T09:32:10.500000","false","ben@example.com","2026-11-24T09:40:00.000000",` +
        `"'=HYPERLINK(""http://example.com"")"\r\n`,
    );
  });

  it('are a list in JSON', () => {
    const { begin, between, end, of } = DECISION_FORMATS.JSON;
    const decision = { ...DECISION, answer: null };
    expect(JSON.parse(begin + [of(decision), of(decision)].join(between) + end)).toEqual([decision, decision]);
    expect(JSON.parse(begin + end)).toEqual([]);
  });
});
