"""Compares summaries by ROUGE: the built-in engine's against those of sumy's algorithms, on the same sentences and of the same length.

Input (JSON on standard input): {"lengths": [words], "books": [{"name", "held_out", "reference", "sentences", "summaries": {words: text}}]}.
Output (JSON on standard output): a list of {"half", "words", "engine", "rouge1", "rouge2", "rougeL"}, F-measures in percent, means over the books.
"""

import json
import sys
from collections import defaultdict

from rouge_score.rouge_scorer import RougeScorer
from sumy.models.dom import ObjectDocumentModel, Paragraph, Sentence
from sumy.nlp.stemmers import Stemmer
from sumy.summarizers.lex_rank import LexRankSummarizer
from sumy.summarizers.lsa import LsaSummarizer
from sumy.summarizers.luhn import LuhnSummarizer
from sumy.summarizers.text_rank import TextRankSummarizer
from sumy.utils import get_stop_words

import re

WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
METRICS = ["rouge1", "rouge2", "rougeL"]


class Words:
    """What sumy asks of a tokenizer. Its own needs data that is not on the package registry."""

    language = "english"

    def to_words(self, text):
        return tuple(WORD.findall(text))

    def to_sentences(self, text):
        return (text,)


def cut(text, words):
    """The first words of a text, so that all summaries are equally long."""
    return " ".join(text.split()[:words])


def of_length(summarize, sentences, words):
    """The fewest best sentences that have so many words, in the order of the text."""
    for count in range(1, len(sentences) + 1):
        text = " ".join(str(sentence) for sentence in summarize(count))
        if len(text.split()) >= words:
            return cut(text, words)
    return " ".join(sentences)


def main():
    data = json.load(sys.stdin)
    stemmer = Stemmer("english")
    tokenizer = Words()
    scorer = RougeScorer(METRICS, use_stemmer=True)
    sums = defaultdict(lambda: defaultdict(list))
    for book in data["books"]:
        sentences = book["sentences"]
        document = ObjectDocumentModel([Paragraph([Sentence(text, tokenizer) for text in sentences])])
        algorithms = {"first sentences": lambda count: sentences[:count]}
        for name, kind in [
            ("LexRank", LexRankSummarizer),
            ("TextRank", TextRankSummarizer),
            ("LSA", LsaSummarizer),
            ("Luhn", LuhnSummarizer),
        ]:
            summarizer = kind(stemmer)
            summarizer.stop_words = get_stop_words("english")
            algorithms[name] = lambda count, summarizer=summarizer: summarizer(document, count)
        half = "held out" if book["held_out"] else "tuned on"
        for words in data["lengths"]:
            texts = {"built-in": cut(book["summaries"][str(words)], words)}
            for name, algorithm in algorithms.items():
                texts[name] = of_length(algorithm, sentences, words)
            for name, text in texts.items():
                scores = scorer.score(book["reference"], text)
                for metric in METRICS:
                    sums[half, words, name][metric].append(100 * scores[metric].fmeasure)
    rows = []
    for (half, words, name), metrics in sums.items():
        row = {"half": half, "words": words, "engine": name}
        row.update({metric: sum(values) / len(values) for metric, values in metrics.items()})
        rows.append(row)
    json.dump(rows, sys.stdout)


main()
