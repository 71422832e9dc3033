// How Sphinx ranks what it finds: the guide first, then the API, then records such as the changelog.
// A whole name with an underscore is a function's, and who types it wants its page.
var Scorer = {
  score: ([page, title, , , score, , kind]) => {
    if (kind === "object" && title.includes("_") && score > 15) return score;
    if (/^(_generated\/api|api)\//.test(page)) return score - 40;
    if (/^(changelog|third-party|architecture|contributing|evidence)$/.test(page)) return score - 60;
    return score;
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
