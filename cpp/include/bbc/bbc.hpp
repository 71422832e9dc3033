#pragma once

// Everything that the library offers to C++.
#include <bbc/against_truth.hpp>
#include <bbc/censoring.hpp>
#include <bbc/control.hpp>
#include <bbc/correction.hpp>
#include <bbc/data.hpp>
#include <bbc/error.hpp>
#include <bbc/estimate.hpp>
#include <bbc/fields.hpp>
#include <bbc/fold_scores.hpp>
#include <bbc/inference.hpp>
#include <bbc/interval.hpp>
#include <bbc/intervals.hpp>
#include <bbc/metric.hpp>
#include <bbc/philox.hpp>
#include <bbc/resampling.hpp>
#include <bbc/score_interval.hpp>
#include <bbc/scores.hpp>
#include <bbc/winner_statistics.hpp>
#include <bbc/winners.hpp>
