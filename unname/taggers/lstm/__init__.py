"""The BiLSTM-CRF of Friedrich 2019."""
