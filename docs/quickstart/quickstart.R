library(bbcr)

table <- read.csv("scores.csv")
result <- bbc_correct(as.matrix(table[-1]), table$y, metric = "roc_auc", seed = 1)
summary(result)

# The sentence, and the paragraph for the methods section.
cat(format(result), sep = "\n")
cat(strwrap(format(result, "methods"), 88), sep = "\n")

# The table.
as.data.frame(result)[c("metric", "estimate", "low", "high", "apparent")]

# The picture, and a model card; bbc_report(result, "card.docx") writes it for Word.
png("quickstart.png", width = 700, height = 450)
plot(result)
invisible(dev.off())
bbc_report(result, "card.md")

# Further questions about the same winner.
bbc_score(result, "average_precision")

# The same bits as in Python, C++ and C: all digits of the estimate.
cat(sprintf("%.17g\n", result$estimate))
